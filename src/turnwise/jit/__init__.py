"""How Python becomes machine code: kernels, records, memory by address, the clock, the compile cache."""
