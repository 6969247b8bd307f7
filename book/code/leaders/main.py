import wayfare

scene = wayfare.load({
    "group": [
        {
            "name": "captain",
            "spawn": {"points": [[120, 200]]},
            "velocity": [2, 0],
            "max_speed": 2,
        },
        {
            "name": "soldiers",
            "spawn": {"points": [[60, 120], [60, 210], [200, 190]]},
            "mass": 6,
            "max_speed": 3,
            "steer": [{"follow_leader": {
                "leader": "captain",
                "behind": 40,
                "sight_radius": 30,
                "slowing_radius": 72,
                "separation": {"radius": 26, "max_force": 3, "falloff": "inverse"},
            }}],
        },
    ],
})
crowd = scene.crowd()
crowd.step(100)
for x, y in crowd.position:
    print(f"{x:.3f} {y:.3f}")
