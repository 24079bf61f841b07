import fc from 'fast-check'
import { expect, test } from 'vitest'
import { joinFields, splitFields } from './json-fields.ts'

test('values keep the text Postgres gave them', () => {
  const fields = splitFields(
    '{"id": 9007199254740993, "price": 15.90, "tags": ["a", {"b": "}"}], "no": null}',
  )
  expect([...fields]).toEqual([
    ['id', '9007199254740993'],
    ['price', '15.90'],
    ['tags', '["a", {"b": "}"}]'],
    ['no', 'null'],
  ])
  expect(joinFields(fields, ['price', 'missing', 'id'])).toBe('{"price":15.90,"id":9007199254740993}')
})

test('nothing comes of an empty text or object', () => {
  expect(splitFields('').size).toBe(0)
  expect(splitFields('{}').size).toBe(0)
})

test('any object comes apart and together again', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }), (row) => {
      const fields = splitFields(JSON.stringify(row))
      expect([...fields.keys()]).toEqual(Object.keys(row))
      expect(JSON.parse(joinFields(fields, fields.keys()))).toEqual(JSON.parse(JSON.stringify(row)))
    }),
  )
})
