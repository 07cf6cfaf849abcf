Feature: f
  Scenario: n
    Given x
  Scenario: a
  Scenario: b
