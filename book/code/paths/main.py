import wayfare

scene = wayfare.load({
    "path": {
        "beat": {
            "points": [[60, 240], [200, 240], [260, 120], [430, 100]],
            "radius": 20,
        },
    },
    "group": [{
        "name": "guard",
        "spawn": {"points": [[40, 200]]},
        "mass": 8,
        "max_speed": 3,
        "steer": [{"follow_path": {"path": "beat", "at_end": "patrol"}}],
    }],
})
crowd = scene.crowd()
crowd.step(100)
for x, y in crowd.position:
    print(f"{x:.3f} {y:.3f}")
