import wayfare

wait = {
    "name": "wait",
    "rate": {"stamina": 1},
    "steer": [{"stop": {}}],
    # From 30 on, so that the guard does not start again with no breath.
    "leave": [{"to": "hunt", "when": {"all": [
        {"near": "thief", "within": 120},
        {"stat": "stamina", "at_least": 30},
    ]}}],
}
hunt = {
    "name": "hunt",
    "rate": {"stamina": -1},
    "steer": [{"pursue": {"quarry": "thief"}}],
    "leave": [{"to": "wait", "when": {"stat": "stamina", "at_most": 0}}],
}
scene = wayfare.load({
    "group": [
        {
            "name": "thief",
            "spawn": {"points": [[100, 40]]},
            "velocity": [2, 0],
            "max_speed": 2,
        },
        {
            "name": "guard",
            "spawn": {"points": [[200, 140]]},
            "mass": 8,
            "max_speed": 3,
            "stat": {"stamina": {"start": 40, "min": 0, "max": 40}},
            "state": [wait, hunt],
        },
    ],
})
crowd = scene.crowd()
crowd.step(100)
for x, y in crowd.position:
    print(f"{x:.3f} {y:.3f}")
