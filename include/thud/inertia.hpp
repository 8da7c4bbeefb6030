#pragma once

#include <thud/conventions.hpp>
#include <thud/dynamics.hpp>
#include <thud/export.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <limits>
#include <string_view>
#include <vector>

namespace THUD_EXPORT thud {

/// The four models of how an arm answers an impulse, in the order of the paper's comparison. The command line and the
/// JSON call them options.
enum class InertiaModel { algebraic, generalized_momentum, composite_rigid_body, flexible_joints };
inline constexpr std::array all_inertia_models = {InertiaModel::algebraic, InertiaModel::generalized_momentum,
                                                  InertiaModel::composite_rigid_body, InertiaModel::flexible_joints};

/// The words of the command line: "algebraic", ...
std::string_view to_string(InertiaModel model) noexcept;

/// One thing for each of the four models.
template <class T>
class PerModel {
 public:
  PerModel() = default;

  /// The value of `make` for each model.
  template <std::invocable<InertiaModel> Make>
  constexpr explicit PerModel(const Make& make)
      : values_{make(InertiaModel::algebraic), make(InertiaModel::generalized_momentum),
                make(InertiaModel::composite_rigid_body), make(InertiaModel::flexible_joints)} {}

  constexpr T& operator[](InertiaModel model) noexcept { return values_[static_cast<std::size_t>(model)]; }
  constexpr const T& operator[](InertiaModel model) const noexcept { return values_[static_cast<std::size_t>(model)]; }

  /// In the order of all_inertia_models.
  constexpr auto begin() noexcept { return values_.begin(); }
  constexpr auto end() noexcept { return values_.end(); }
  constexpr auto begin() const noexcept { return values_.begin(); }
  constexpr auto end() const noexcept { return values_.end(); }

 private:
  std::array<T, all_inertia_models.size()> values_{};
};

/// Whether an inverse inertia matrix exists. With pivots d_i of the L D L^T of a matrix A, "rounding" means that d_i is
/// at most 1e-12 of the largest diagonal entry of its kind, linear or angular.
enum class InertiaStatus {
  not_run,         // not computed yet
  ok,              // the effective mass is finite and positive
  singular,        // a pivot of J M^-1 J^T is rounding, or n.W n <= 1e-12 trace W: no motion that way at this posture
  underactuated,   // fewer than six joints move the contact point, so J M^-1 J^T is singular at every posture
  massless,        // M is not positive definite, a pivot of Ic is rounding, or the mass is zero
  pseudo_inverse,  // singular or underactuated, and the caller asked for the pseudo-inverse instead
};

/// The words of the command line: "ok", "singular", ...
std::string_view to_string(InertiaStatus status) noexcept;

/// An inverse inertia matrix: how the contact velocity jumps per impulse.
///
///   dv = W iota                                                                        [Wang22, (iim_def)]
struct InverseInertia {
  InertiaStatus status = InertiaStatus::not_run;
  Matrix3 W = Matrix3::Constant(std::numeric_limits<double>::quiet_NaN());  // world axes [1/kg]

  InverseInertia() = default;

  /// One that does not exist, and why.
  explicit InverseInertia(InertiaStatus why) noexcept : status(why) {}

  /// One that exists: its matrix and its effective mass along the normal [kg].
  InverseInertia(InertiaStatus how, const Matrix3& matrix, double effective_mass) noexcept
      : status(how), W(matrix), effective_mass_(effective_mass) {}

  /// Whether the numbers are valid: status ok or pseudo_inverse.
  bool exists() const noexcept { return status == InertiaStatus::ok || status == InertiaStatus::pseudo_inverse; }

  /// Effective mass along the normal [kg], NaN unless exists().
  double effective_mass() const noexcept { return effective_mass_; }

 private:
  double effective_mass_ = std::numeric_limits<double>::quiet_NaN();
};

/// Generalized momentum: joints that give way freely.
///
///   W_gm = J_v M^-1 J_v^T,   m_n = 1 / (n.W_gm n)                                      [Wang22, (option_gm_iim)]
///
/// W_gm is symmetric and positive semidefinite. Real-time.
InverseInertia generalized_momentum(const ContactDynamics& dynamics) noexcept;

struct AlgebraicOptions {
  bool pseudo_inverse = false;  // where J M^-1 J^T is singular, use its Moore-Penrose inverse in SI units
};

/// Algebraic equation: the tool may move in all six directions at no cost but inertia.
///
///   m_em = linear block of (J M^-1 J^T)^-1,   m_n = n.m_em n,   W = m_em^-1            [Wang22, (option_em)]
///
/// Its effective mass is never below that of the generalized momentum (Schur complement). The pseudo-inverse mixes
/// metres and radians, so its value depends on the unit of length: it is given only on request, and
/// its W may not exist (NaN). Real-time.
InverseInertia algebraic(const ContactDynamics& dynamics, const AlgebraicOptions& options = {}) noexcept;

/// Composite rigid body: joints so stiff that the arm moves as one body through the impact.
///
///   W = 1/m - [r]x Ic^-1 [r]x,   r = p - c,   m_n = 1 / (n.W n)                        [Wang22, (iim_inertia_def)]
///
/// W is symmetric and positive definite. Real-time.
InverseInertia composite_rigid_body(const ContactDynamics& dynamics) noexcept;

/// Flexible joints: the composite body, and the motion of the contact point relative to it.
///
///   W~ = W + linear block of (J - X J_avg) M^-1 J^T,   J_avg = I_G^-1 A_G               [Wang22, (crb_fb_iim)]
///
/// X = [1, -[r]x; 0, 1] moves a twist from the centre of mass to the contact point. W~ is not symmetric; only n.W~ n
/// is used, m_n = 1 / (n.W~ n). Real-time.
InverseInertia flexible_joints(const ContactDynamics& dynamics) noexcept;

/// The four at once, which share much of their work. Real-time.
PerModel<InverseInertia> inverse_inertias(const ContactDynamics& dynamics,
                                          const AlgebraicOptions& options = {}) noexcept;

/// The inverse inertia of one model; the options are for the algebraic one. Real-time.
InverseInertia inverse_inertia(const ContactDynamics& dynamics, InertiaModel model,
                               const AlgebraicOptions& options = {}) noexcept;

/// The same four from matrices of another library (world axes, linear over angular; n joints).
/// Throw InputError for what contact_dynamics rejects.
InverseInertia generalized_momentum(const MatrixRef& M, const MatrixRef& J, const Vector3& normal_W);
InverseInertia algebraic(const MatrixRef& M, const MatrixRef& J, const Vector3& normal_W,
                         const AlgebraicOptions& options = {});
InverseInertia composite_rigid_body(const CompositeBody& body, const ContactGeometry& contact);
InverseInertia flexible_joints(const MatrixRef& M, const MatrixRef& J, const MatrixRef& A_G, const CompositeBody& body,
                               const ContactGeometry& contact);

/// Inertia of the composite body about the contact point, linear over angular, world axes.
///
///   I_eq = X^-T I_G X^-1,   I_G = blkdiag(m 1, Ic)                                     [Wang22, (def_I_eq)]
///
/// It is the sum of link_inertias. Real-time.
Matrix6 equivalent_inertia(const ContactDynamics& dynamics) noexcept;

/// What each link contributes to the composite body's answer to an impulse along n.
///
///   share_i = V.I_i V / (n.W n),   V = I_eq^-1 [n; 0]                                  [Wang22, (contribution_im)]
///
/// V is the composite body's twist per unit impulse, so share_i is the fraction of its kinetic energy that link i
/// carries. The shares are >= 0 and sum to 1. Empty if the composite body does not exist.
/// inertias are those of link_inertias at the same posture and contact point.
std::vector<double> link_shares(const ContactDynamics& dynamics, const std::vector<Matrix6>& inertias);

}  // namespace thud
