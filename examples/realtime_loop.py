"""In a loop: robot, point and results are set up before it and used again in every cycle."""

import numpy as np

import thud

robot = thud.load_robot("panda")
point = thud.ContactPoint(frame="panda_foot", offset=[0, 0, 0.0223], normal_W=[-1, 0, 0])
workspace = thud.DynamicsWorkspace(robot, point)
prediction = thud.Prediction(robot.size)
q = np.array([0, 0.1, 0, -1.5, 0, 3.1708, 0.7854])
dq = np.array([0, 0.4207, 0, 0.5445, 0, -0.1238, 0])  # the foot moves on at 0.12 m/s

hardest = 0.0
for _ in range(1000):
    dynamics = thud.contact_dynamics(workspace, q)
    thud.predict(dynamics, dq, prediction, restitution=0)
    hardest = max(hardest, prediction[thud.InertiaModel.composite_rigid_body].impulse.total)
    q -= 1e-6 * dq  # the arm creeps back
print(f"hardest of 1000 cycles: {hardest:.2f} N s")
