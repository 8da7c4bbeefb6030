"""The paper's experiment before the hit: three postures of the Panda in front of a wall, four ways to say how heavy the
arm is there. Joint rates are the smallest that move the foot straight on."""

from math import pi

import thud

robot = thud.load_robot("panda")
point = thud.ContactPoint(frame="panda_foot", offset=[0, 0, 0.0223], normal_W=[-1, 0, 0])
columns = [
    thud.InertiaModel.algebraic,
    thud.InertiaModel.composite_rigid_body,
    thud.InertiaModel.flexible_joints,
    thud.InertiaModel.generalized_momentum,
]

print("effective mass of the Panda against a wall [kg], and the approximate-to-exact velocity ratio e_a")
print(f"{'configuration':14}{'e_a':>10}{'algebraic':>12}{'composite':>12}{'flexible':>12}{'gen. momentum':>16}")
for name, q2, q4 in [("one", 0.1, -1.5), ("two", 0.4, -1.3), ("three", 0.8, -1.1)]:
    dynamics = thud.contact_dynamics(robot, point, [0, q2, 0, q4, 0, pi / 2 + q2 - q4, pi / 4])
    prediction = thud.predict(dynamics, thud.approach(dynamics, 0.12).dq)
    a, c, f, g = (prediction[option].inertia.effective_mass for option in columns)
    print(f"{name:14}{prediction.ratio:10.4f}{a:12.4f}{c:12.4f}{f:12.4f}{g:16.4f}")
