import wayfare


def people(name, points, velocity, target):
    return {
        "name": name,
        "spawn": {"points": points},
        "velocity": velocity,
        "radius": 0.1756,
        "max_speed": 1.34,
        # Where to go comes first, the solver is the last of its list.
        "steer": [{"seek": {"target": target}}, {"pedestrian": {}}],
    }


scene = wayfare.load({
    "dt": 0.05,
    "bodies": {"solid": True},
    "group": [
        people("westbound", [[5, 0], [5.6, 0.3], [5.6, -0.3]], [-1.34, 0], [-100, 0]),
        people("eastbound", [[0, 0], [-0.6, 0.3], [-0.6, -0.3]], [1.34, 0], [100, 0]),
    ],
})
crowd = scene.crowd()
crowd.step(100)
for x, y in crowd.position:
    print(f"{x:.3f} {y:.3f}")
