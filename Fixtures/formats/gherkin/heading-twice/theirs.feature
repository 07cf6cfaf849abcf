Feature: f
  Scenario: a
  Scenario: n
    Given y
  Scenario: b
