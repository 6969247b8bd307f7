import wayfare

to_the_door = {"seek": {"target": [430, 200]}}
scene = wayfare.load({
    "group": [
        {
            "name": "slow",
            "spawn": {"points": [[150, 200]]},
            "mass": 20,
            "max_speed": 1,
            "steer": [to_the_door],
        },
        {
            "name": "fast",
            "spawn": {"points": [[90, 195], [60, 205]]},
            "mass": 20,
            "max_speed": 3,
            # It brakes the forces before it, so it is the last of its list.
            "steer": [to_the_door, {"queue": {"ahead": 16, "radius": 14}}],
        },
    ],
})
crowd = scene.crowd()
crowd.step(100)
for x, y in crowd.position:
    print(f"{x:.3f} {y:.3f}")
