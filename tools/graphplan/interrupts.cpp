#include "interrupts.hpp"

#include <utility>

#include "command.hpp"

namespace graphplan::cli {

void Interrupts::on_abort(std::function<void()> abort) {
    const std::scoped_lock lock(mutex_);
    abort_ = std::move(abort);
}

void Interrupts::interrupt() {
    const std::scoped_lock lock(mutex_);
    const bool first = source_.request_stop();
    if ((deferrals_ == 0 || !first) && abort_) abort_();
}

Interrupts::Deferral::Deferral(Interrupts* interrupts) : interrupts_(interrupts) {
    if (interrupts_ == nullptr) return;
    const std::scoped_lock lock(interrupts_->mutex_);
    ++interrupts_->deferrals_;
}

Interrupts::Deferral::~Deferral() {
    if (interrupts_ == nullptr) return;
    const std::scoped_lock lock(interrupts_->mutex_);
    --interrupts_->deferrals_;
}

std::stop_token Streams::stop() const {
    return environment.interrupts != nullptr ? environment.interrupts->token() : std::stop_token{};
}

}  // namespace graphplan::cli
