import wayfare

scene = wayfare.load({
    "obstacle": [{"circle": {"center": [300, 250], "radius": 50}}],
    "group": [{
        "name": "guards",
        "spawn": {"points": [[60, 240], [60, 260]]},
        "mass": 8,
        "max_speed": 3,
        "radius": 6,
        "combine": "priority",
        "steer": [  # the most important first
            {"avoid_obstacles": {"see_ahead": 60, "max_avoid_force": 4}},
            {"separation": {"radius": 25, "max_force": 2}},
            {"seek": {"target": [560, 240]}},
        ],
    }],
})
crowd = scene.crowd()
crowd.step(100)
for x, y in crowd.position:
    print(f"{x:.3f} {y:.3f}")
