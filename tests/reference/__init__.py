"""Second implementations of the rules: slow, plain, and written from the clauses alone, to check the fast kernels."""
