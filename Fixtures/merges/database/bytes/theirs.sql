UPDATE files SET data = CAST(x'610063' AS TEXT) WHERE name = 'b';
