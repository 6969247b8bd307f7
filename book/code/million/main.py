import wayfare

scene = wayfare.load({
    "seed": 1,
    "bounds": {"min": [0, 0], "max": [850, 640], "edge": "wrap"},
    "group": [{
        "name": "birds",
        "count": 1000,
        "spawn": {"box": {"min": [0, 0], "max": [850, 640]}},
        "velocity": "random",
        "mass": 8,
        "max_speed": 3,
        "think_every": 2,  # each bird steers at every second tick
        "steer": [{"flock": {"radius": 40}}],
    }],
})
crowd = scene.crowd(threads=2)  # the result does not depend on it
crowd.step(100)
for x, y in crowd.position:
    print(f"{x:.3f} {y:.3f}")
