import wayfare


def birds(name, points, velocity):
    return {
        "name": name,
        "spawn": {"points": points},
        "velocity": velocity,
        "mass": 8,
        "max_speed": 2,
        "max_force": 2,
        "steer": [
            # Neighbors count up to 90, and push each other apart up to 12.
            {"flock": {"radius": 90, "separation_radius": 12}},
            # Without a push ahead the flock would come to rest.
            {"wander": {"circle_distance": 1, "circle_radius": 0.2, "angle_change": 0.5}},
        ],
    }


scene = wayfare.load({
    "seed": 7,
    "group": [
        birds("eastbound", [[100, 200], [90, 212]], [2, 0]),
        birds("southbound", [[150, 150], [162, 140]], [0, 2]),
    ],
})
crowd = scene.crowd()
crowd.step(100)
for x, y in crowd.position:
    print(f"{x:.3f} {y:.3f}")
