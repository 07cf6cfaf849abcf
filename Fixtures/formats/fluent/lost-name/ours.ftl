-a = A
c = C
d = D
