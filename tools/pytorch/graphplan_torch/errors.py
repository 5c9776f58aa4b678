"""What goes wrong, each with words that say what to do. Answers ("dropped") are values, not errors."""


class GraphplanError(RuntimeError):
    """Base of every error that this package raises by itself."""


class DocumentError(GraphplanError):
    """A document is not what it says it is; the message names the place in it."""


class AllocatorError(GraphplanError):
    """torch's allocator runs with an option that graphplan does not model."""


class WarmupError(GraphplanError):
    """A forward could not run eagerly: without its peak no plan would be safe."""


class PoisonedError(GraphplanError):
    """A capture broke the CUDA context: nothing in this process can use the device any more."""


class DifferentEnvironmentError(GraphplanError):
    """The plan was made for another device, driver or library."""


class GraphsMissingError(GraphplanError):
    """Buckets of the plan were dropped although graphs are required."""
