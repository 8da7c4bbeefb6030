#pragma once

/// The query as somebody with KDL, MuJoCo or DART asks it: the model is built once from the robot, the library's own
/// functions are called for what it has, and the rest is written from what it offers. Serial arms of seven joints.

#include <functional>

#include "pinocchio_query.hpp"

using Query = std::function<void(const double* q, Answer& answer)>;

/// ChainDynParam for M, ChainJntToJacSolver for J, ChainFkSolverPos_recursive for the links' poses. It has nothing for
/// momentum, centre of mass and composite inertia: one way back over the chain with its RigidBodyInertia.
Query kdl_query(const thud::Robot& robot, const thud::ContactPoint& point);

/// mj_kinematics, mj_comPos and mj_makeM, then mj_fullM, mj_jacSite, mj_jacSubtreeCom and mj_angmomMat. Mass, centre of
/// mass and Ic lie in its data.
Query mujoco_query(const thud::Robot& robot, const thud::ContactPoint& point);

/// getMassMatrix, getWorldJacobian, getCOM, getCOMJacobian. It has nothing for angular momentum and composite inertia:
/// one way back over its bodies.
Query dart_query(const thud::Robot& robot, const thud::ContactPoint& point);
