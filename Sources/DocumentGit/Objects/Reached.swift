/// Returns the objects that a walk from some ids reaches, by their ids.
///
/// - Parameters:
///   - next: returns the ids with which the walk continues after an object.
///   - object: returns the object with an id; `nil` to leave it out, and what only it leads to.
package func reached<Object>(
  from ids: some Sequence<ObjectID>, _ next: (Object) throws -> [ObjectID],
  _ object: (ObjectID) throws -> Object?
) rethrows -> [ObjectID: Object] {
  var found: [ObjectID: Object] = [:]
  var pending = Array(ids)
  while let id = pending.popLast() {
    guard found[id] == nil, let object = try object(id) else { continue }
    found[id] = object
    pending += try next(object)
  }
  return found
}
