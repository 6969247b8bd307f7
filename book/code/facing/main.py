import wayfare

scene = wayfare.load({
    "group": [
        # Walks to one point, and looks at another.
        {
            "name": "guard",
            "spawn": {"points": [[60, 240]]},
            "mass": 10,
            "max_speed": 2,
            "turn_rate": 3,  # degrees per unit of time
            "steer": [{"seek": {"target": [430, 220]}}, {"face": {"target": [200, 60]}}],
        },
        # On wheels; its target is behind it.
        {
            "name": "car",
            "spawn": {"points": [[300, 300]]},
            "velocity": [3, 0],
            "mass": 5,
            "max_speed": 3,
            "turning_radius": 40,
            "steer": [{"arrive": {"target": [120, 240], "slowing_radius": "auto"}}],
        },
    ],
})
crowd = scene.crowd()
crowd.step(100)
for x, y in crowd.position:
    print(f"{x:.3f} {y:.3f}")
