// The object that owns the precompiled test headers.
