import { describe, expect, test } from 'vitest'
import { createAllowList } from './redirects.ts'

const allows = (siteUrl: string, listed: string[], wanted: string) =>
  createAllowList({ siteUrl, additionalRedirectUrls: listed })(wanted)

describe('the site itself', () => {
  test.each([
    ['https://site.example', 'https://site.example', true],
    ['https://site.example', 'https://site.example/auth-redirect?x=1#y', true],
    ['https://site.example', 'HTTPS://Site.Example/page', true],
    ['https://site.example', 'https://site.example:443/page', true],
    ['https://site.example', 'http://site.example/', false],
    ['https://site.example', 'https://site.example:8443/', false],
    ['https://site.example', 'https://site.example.evil.test/', false],
    ['https://site.example', 'https://www.site.example/', false],
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
    ['ftp://127.0.0.1/', false],
  ])('%s is %s even where every address is listed', (wanted, allowed) => {
    expect(allows('https://site.example', ['**'], wanted)).toBe(allowed)
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
    ['https://app.example/*', 'https://app.example/a.html', false],
    ['https://app.example/page?', 'https://app.example/page1', true],
    ['https://app.example/page?', 'https://app.example/page12', false],
    ['https://app.example/v[12]', 'https://app.example/v2', true],
    ['https://app.example/v[12]', 'https://app.example/v3', false],
    ['https://app.example/a+(b)', 'https://app.example/a+(b)', true],
    ['app://callback', 'app://callback#token', true],
    ['app://callback', 'app://other', false],
  ])('%s: %s is %s', (pattern, wanted, allowed) => {
    expect(allows('https://site.example', [pattern], wanted)).toBe(allowed)
  })
})

test.each([
  '',
  'nonsense',
  '//evil.test',
  'javascript:alert(1)//site.example',
  'data:text/html,x',
  'https://site.example@evil.test/',
  'https:\\\\site.example\\',
  'https://evil.test\\@site.example/',
  ' https://site.example/',
  'https:/site.example/',
])('%j leads nowhere, whatever is listed', (wanted) => {
  expect(allows('https://site.example', ['**'], wanted)).toBe(false)
})
