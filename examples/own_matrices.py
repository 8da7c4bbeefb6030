"""With M, J and the rest from another library: a cart of 2 kg on a rail, pushed through its centre."""

import numpy as np

import thud

M = np.array([[2.0]])  # [kg]
J = np.zeros((6, 1))  # the cart slides along x
J[0, 0] = 1
normal = [-1, 0, 0]

free = thud.generalized_momentum(M, J, normal)
print(f"joints free: {free.effective_mass:.2f} kg")

body = thud.CompositeBody(mass=2, com_W=[0, 0, 0], Ic_W=np.eye(3))
rigid = thud.composite_rigid_body(body, thud.ContactGeometry(p_WC=[0, 0, 0], normal_W=normal))
print(f"one rigid body: {rigid.effective_mass:.2f} kg")

# One joint cannot move the cart in six directions, and the result says so.
algebraic = thud.algebraic(M, J, normal)
print(f"algebraic: {algebraic.status.name}")
