import wayfare

scene = wayfare.load({
    "obstacle": [
        {"circle": {"center": [200, 150], "radius": 40}},
        {"box": {"center": [300, 60], "size": [40, 90]}},
    ],
    "group": [{
        "name": "walkers",
        "spawn": {"points": [[40, 140], [40, 80]]},
        "mass": 8,
        "max_speed": 3,
        "max_force": 5,
        "radius": 6,
        "steer": [
            {"seek": {"target": [460, 100]}},
            {"avoid_obstacles": {
                "see_ahead": 60,
                "max_avoid_force": 6,
                "clearance": "body",
            }},
        ],
    }],
})
crowd = scene.crowd()
crowd.step(100)
for x, y in crowd.position:
    print(f"{x:.3f} {y:.3f}")
