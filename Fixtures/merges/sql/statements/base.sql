BEGIN;
INSERT INTO "boats" VALUES (1,'Anna',NULL);
INSERT INTO "boats" VALUES (2,'Mira',now());
COMMIT;
