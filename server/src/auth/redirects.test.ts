import { describe, expect, test } from 'vitest'
import { createAllowList } from './redirects.ts'

const allows = (siteUrl: string, listed: string[], wanted: string) =>
  createAllowList({ siteUrl, additionalRedirectUrls: listed })(wanted)

describe('the site itself', () => {
  test.each([
    ['https://potluck.example', 'https://potluck.example', true],
    ['https://potluck.example', 'https://potluck.example/auth-redirect?x=1#y', true],
    ['https://potluck.example', 'HTTPS://Potluck.Example/page', true],
    ['https://potluck.example', 'https://potluck.example:443/page', true],
    ['https://potluck.example', 'http://potluck.example/', false],
    ['https://potluck.example', 'https://potluck.example:8443/', false],
    ['https://potluck.example', 'https://potluck.example.evil.test/', false],
    ['https://potluck.example', 'https://www.potluck.example/', false],
    ['http://localhost:3000', 'http://localhost:5173/page', true],
    ['http://192.168.1.5:3000', 'http://192.168.1.5:3000/page', true],
  ])('%s: %s is %s', (site, wanted, allowed) => {
    expect(allows(site, [], wanted)).toBe(allowed)
  })
})

describe('IP addresses', () => {
  test.each([
    ['http://127.0.0.1:8080/callback', true],
    ['http://[::1]:8080/callback', true],
    ['http://10.0.0.1/', false],
    ['http://[2001:db8::1]/', false],
    ['http://2130706433/', false],
    ['http://0x7f.1/', false],
    ['http://127.1/', false],
    ['ftp://127.0.0.1/', false],
  ])('%s is %s even where every address is listed', (wanted, allowed) => {
    expect(allows('https://potluck.example', ['**'], wanted)).toBe(allowed)
  })
})

describe('listed patterns', () => {
  test.each([
    ['https://app.example/**', 'https://app.example/', true],
    ['https://app.example/**', 'https://app.example/deep/er?x=1.2#/hash', true],
    ['https://app.example/**', 'https://app.example.evil.test/', false],
    ['https://*.app.example/**', 'https://preview.app.example/page', true],
    ['https://*.app.example/**', 'https://two.labels.app.example/page', false],
    ['https://*.app.example/**', 'https://evil.test/.app.example/', false],
    ['https://app.example/*', 'https://app.example/page', true],
    ['https://app.example/*', 'https://app.example/page/', false],
    ['https://app.example/*', 'https://app.example/a/b', false],
    ['https://app.example/*', 'https://app.example/a.html', false],
    ['https://app.example/page?', 'https://app.example/page1', true],
    ['https://app.example/page?', 'https://app.example/page12', false],
    ['https://app.example/v[12]', 'https://app.example/v2', true],
    ['https://app.example/v[12]', 'https://app.example/v3', false],
    ['https://app.example/a+(b)', 'https://app.example/a+(b)', true],
    ['https://app.example**', 'https://app.example/x/y', true],
    ['potluck://callback', 'potluck://callback#token', true],
    ['potluck://callback', 'potluck://other', false],
  ])('%s: %s is %s', (pattern, wanted, allowed) => {
    expect(allows('https://potluck.example', [pattern], wanted)).toBe(allowed)
  })
})

test.each([
  '',
  'nonsense',
  '/relative',
  '//evil.test',
  'javascript:alert(1)//potluck.example',
  'data:text/html,x',
  'https://potluck.example@evil.test/',
  'https://user:pw@potluck.example/',
  'https:\\\\potluck.example\\',
  'https://evil.test\\@potluck.example/',
  ' https://potluck.example/',
  'https:/potluck.example/',
])('%j leads nowhere, whatever is listed', (wanted) => {
  expect(allows('https://potluck.example', ['**'], wanted)).toBe(false)
})
