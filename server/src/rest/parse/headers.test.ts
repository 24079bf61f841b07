import { describe, expect, test } from 'vitest'
import { parseAccept, parsePrefer } from './headers.ts'
import { capWindow, parseWindow } from './window.ts'

describe('Prefer', () => {
  test('the first of a kind holds, and unknown ones are passed over', () => {
    expect(parsePrefer('return=minimal, count=exact,return=representation, odd=1, count')).toMatchObject({
      return: 'minimal',
      count: 'exact',
      resolution: undefined,
    })
  })
})

describe('Accept', () => {
  test.each([
    ['', false, false],
    ['*/*', false, false],
    ['text/html,application/xhtml+xml,*/*;q=0.8', false, false],
    ['application/json', false, false],
    ['application/vnd.pgrst.object+json', true, false],
    ['application/vnd.pgrst.object+json;nulls=stripped', true, true],
    ['application/vnd.pgrst.array+json;nulls=stripped', false, true],
  ])('%s', (header, singular, stripNulls) => {
    expect(parseAccept(header)).toMatchObject({ singular, stripNulls })
  })
})

describe('the window of rows', () => {
  const asked = (limit?: string, offset?: string, range?: string) => parseWindow({ limit, offset, range })
  test.each([
    [asked(), 0, null],
    [asked('5'), 0, 5],
    [asked('5', '10'), 10, 5],
    [asked(undefined, '10'), 10, null],
    [asked(undefined, undefined, '5-9'), 5, 5],
    [asked(undefined, undefined, 'items=5-'), 5, null],
    [asked('3', '6', '5-9'), 6, 3],
    [asked('3', '0', '5-9'), 5, 0],
    [asked('x', 'y', 'z'), 0, null],
    [asked('1', '-1'), 0, 1],
  ])('%o', (window, offset, limit) => {
    expect(window).toEqual({ offset, limit })
  })

  test('is never longer than the server allows', () => {
    expect(capWindow(asked(), 1000)).toEqual({ offset: 0, limit: 1000 })
    expect(capWindow(asked('5000', '7'), 1000)).toEqual({ offset: 7, limit: 1000 })
    expect(capWindow(asked('5'), 1000)).toEqual({ offset: 0, limit: 5 })
  })
})
