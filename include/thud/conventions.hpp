#pragma once

/// Conventions, once for the whole library.
///
/// Units   SI throughout: m, kg, s, N, rad.
/// Frames  W is the world, which is the frame of the robot's base link. A suffix _W means "in world axes"; p_WC is the
///         position of C from the origin of W.
/// Twists  and wrenches are stacked linear first, angular second.
/// Normal  a unit vector out of the environment, towards the robot. Approach means v_n = n.v < 0; the impulse on the
///         robot is iota = iota_n n with iota_n >= 0.
/// Links   1..n are the moving links. The composite body of a contact is the limb off the fixed base that carries the
///         contact point; the base itself and other limbs are no part of it. A link that is fixed to another is merged
///         into it.
/// Missing a number that does not exist is NaN where it is one among others (arrays, rows of a table, the numbers of a
///         result); an event, an option or a part of a result that may be absent on its own is a std::optional.
///
/// Matrices at the public boundary are not over-aligned and take their memory from malloc, so that code compiled for
/// another instruction set (which changes Eigen's default alignment) can share them with the library.

#include <thud/export.hpp>

#include <Eigen/Core>

namespace THUD_EXPORT thud {

using Vector3 = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix3d;
using Vector6 = Eigen::Matrix<double, 6, 1, Eigen::DontAlign>;
using Matrix6 = Eigen::Matrix<double, 6, 6, Eigen::DontAlign>;
using VectorX = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::DontAlign>;
using MatrixX = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::DontAlign>;
using Matrix6X = Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::DontAlign>;
using MatrixX6 = Eigen::Matrix<double, Eigen::Dynamic, 6, Eigen::DontAlign>;

/// Any dense column of doubles, or matrix with contiguous columns, without a copy.
using VectorRef = Eigen::Ref<const Eigen::VectorXd>;
using MatrixRef = Eigen::Ref<const Eigen::MatrixXd>;

static_assert(alignof(Vector3) == alignof(double) && alignof(Matrix3) == alignof(double));
static_assert(alignof(Vector6) == alignof(double) && alignof(Matrix6) == alignof(double));

}  // namespace thud
