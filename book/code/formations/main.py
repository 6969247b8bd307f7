import wayfare

formation = {"around": "leader", "shape": "wedge", "spacing": 30}
scene = wayfare.load({
    "group": [
        # Without behaviors it keeps its velocity.
        {
            "name": "leader",
            "spawn": {"points": [[200, 240]]},
            "velocity": [1.5, 0],
            "max_speed": 1.5,
        },
        {
            "name": "wing",
            "spawn": {"points": [[60, 200], [40, 240], [60, 280], [90, 300]]},
            "mass": 5,
            "max_speed": 3,
            "steer": [{"formation": formation}],
        },
    ],
})
crowd = scene.crowd()
crowd.step(100)
for x, y in crowd.position:
    print(f"{x:.3f} {y:.3f}")
