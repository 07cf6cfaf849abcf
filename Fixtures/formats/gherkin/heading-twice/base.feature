Feature: f
  Scenario: a
  Scenario: b
