import wayfare

wander = {"circle_distance": 6, "circle_radius": 8, "angle_change": 0.5}
scene = wayfare.load({
    "seed": 5,
    "group": [{
        "name": "fish",
        "spawn": {"points": [[320, 240]]},
        "velocity": [2, 0],
        "mass": 20,
        "max_speed": 2,
        "steer": [{"wander": wander}],
    }],
})
crowd = scene.crowd()
crowd.step(100)
for x, y in crowd.position:
    print(f"{x:.3f} {y:.3f}")
