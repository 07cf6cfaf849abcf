-a = A
-b = B
c = C
d = D
e = { -b }
