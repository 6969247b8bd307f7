import wayfare

scene = wayfare.load({
    "obstacle": [{"box": {"min": [290, 80], "max": [310, 320]}}],
    # Ways keep 15 from the wall.
    "field": {
        "way": {
            "goal": [{"box": {"min": [560, 180], "max": [600, 220]}}],
            "cell": 10,
            "clearance": 15,
            "area": {"min": [0, 0], "max": [640, 400]},
        },
    },
    "group": [{
        "name": "walkers",
        "spawn": {"points": [[200, 180], [200, 230]]},
        "mass": 5,
        "max_speed": 2,
        "steer": [{"follow_flow": {"field": "way"}}],
    }],
})
crowd = scene.crowd()
crowd.step(100)
for x, y in crowd.position:
    print(f"{x:.3f} {y:.3f}")
