import wayfare

scene = wayfare.load({
    "group": [
        {
            "name": "ship",
            "spawn": {"points": [[400, 20]]},
            "velocity": [0, 2],
            "max_speed": 2,
        },
        {
            "name": "pirate",
            "spawn": {"points": [[60, 240]]},
            "mass": 10,
            "max_speed": 3,
            "steer": [{"pursue": {"quarry": "ship"}}],
        },
    ],
})
crowd = scene.crowd()
crowd.step(100)
for x, y in crowd.position:
    print(f"{x:.3f} {y:.3f}")
