import wayfare

scene = wayfare.load({
    "seed": 9,
    "group": [{
        "name": "fish",
        "count": 3,
        "spawn": {"circle": {"center": [320, 240], "radius": 100}},
        "velocity": "random",
        "mass": 10,
        "max_speed": 2,
        "steer": [
            {"wander": {"circle_distance": 6, "circle_radius": 8, "angle_change": 0.5}},
            {"separation": {"radius": 60, "max_force": 2}},
        ],
    }],
})
crowd = scene.crowd()
crowd.step(50)
snapshot = crowd.save()
crowd.step(50)
digest = crowd.digest

# Back to tick 50, and on from there again.
crowd.restore(snapshot)
crowd.step(50)
assert crowd.digest == digest

for x, y in crowd.position:
    print(f"{x:.3f} {y:.3f}")
