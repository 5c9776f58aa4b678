// A file descriptor that closes itself.
#pragma once

#include <string>
#include <utility>

#include <unistd.h>

namespace graphplan::documents {

class FileDescriptor {
  public:
    explicit FileDescriptor(int number) noexcept : number_(number) {}
    FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    FileDescriptor& operator=(FileDescriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~FileDescriptor() {
        if (number_ >= 0) ::close(number_);
    }
    int get() const noexcept { return number_; }
    explicit operator bool() const noexcept { return number_ >= 0; }
    /// Closes it now; false, with errno set, if the system reports a late write error.
    bool close() noexcept { return ::close(std::exchange(number_, -1)) == 0; }

  private:
    int number_;
};

/// The words for an errno, e.g. "No such file or directory".
std::string reason(int error);

}  // namespace graphplan::documents
