// Ctrl-C: ends the process at once, or asks work that can stop by itself to do so.
#pragma once

#include <functional>
#include <mutex>
#include <stop_token>

namespace graphplan::cli {

/// Thread-safe. `interrupt` comes from another thread than the work.
class Interrupts {
  public:
    std::stop_token token() const noexcept { return source_.get_token(); }

    /// What `interrupt` does where nothing defers it, e.g. say so and leave the process.
    void on_abort(std::function<void()> abort);

    /// Asks to stop. Aborts unless a Deferral lives, and on the second call even then.
    void interrupt();

    /// While it lives, the first interrupt only asks to stop. `interrupts` may be null.
    class Deferral {
      public:
        explicit Deferral(Interrupts* interrupts);
        ~Deferral();
        Deferral(const Deferral&) = delete;
        Deferral& operator=(const Deferral&) = delete;

      private:
        Interrupts* interrupts_;
    };

  private:
    std::mutex mutex_;
    std::stop_source source_;
    std::function<void()> abort_;
    int deferrals_ = 0;
};

}  // namespace graphplan::cli
