BEGIN;
INSERT INTO "boats" VALUES (1,'Anna',1);
INSERT INTO "boats" VALUES (2,'Mira',now());
INSERT INTO "boats" VALUES (3,'Tom',3);
COMMIT;
