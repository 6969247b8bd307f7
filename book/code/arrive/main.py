import wayfare

scene = wayfare.load({
    "group": [{
        "name": "guest",
        "spawn": {"points": [[60, 240]]},
        "velocity": [0, 3],
        "mass": 20,
        "max_speed": 3,
        "steer": [{"arrive": {"target": [430, 220], "slowing_radius": "auto"}}],
    }],
})
crowd = scene.crowd()
crowd.step(100)
for x, y in crowd.position:
    print(f"{x:.3f} {y:.3f}")
