import { describe, expect, it } from 'vitest'
import { linkParts } from './links.ts'

const linksIn = (text: string) => linkParts(text).flatMap(({ href }) => href ?? [])

describe('links in a message', () => {
  it.each([
    ['https://netflix.com', ['https://netflix.com']],
    ['See https://netflix.com/account?tab=1#pay, then tell me.', ['https://netflix.com/account?tab=1#pay']],
    ['(at https://de.wikipedia.org/wiki/Topf_(Begriff))', ['https://de.wikipedia.org/wiki/Topf_(Begriff)']],
    [
      'HTTPS://Netflix.com and https://m\u00fcller.example/\u00e4!',
      ['HTTPS://Netflix.com', 'https://m\u00fcller.example/\u00e4'],
    ],
    ['"https://a.example" <https://b.example>', ['https://a.example', 'https://b.example']],
    ['https://a.example\u202egpj.exe', ['https://a.example']],
  ])('%s', (text, links) => {
    expect(linksIn(text)).toEqual(links)
  })

  it.each([
    'http://netflix.com',
    'javascript:alert(1)',
    'JAVASCRIPT://https/%0aalert(1)',
    'data:text/html,https:x',
    'https://',
    'https:///',
    'https://netflix.com@evil.example/login',
    'https://name:secret@evil.example',
    'https://intranet/',
    'mailto:olivia@potluck.example',
    'ftp://a.example',
    '//a.example',
    'www.netflix.com',
  ])('%s is none', (text) => {
    expect(linksIn(text)).toEqual([])
  })

  it('leave the text as it was typed', () => {
    const text = 'a https://x.example. b (https://y.example/(z)), https://u@v.example \n https://w.example'
    expect(
      linkParts(text)
        .map((part) => part.text)
        .join(''),
    ).toBe(text)
    for (const { text: shown, href } of linkParts(text)) if (href) expect(href).toBe(shown)
  })

  it('are found in a long message at once', () => {
    const started = performance.now()
    linkParts(`https://a.example/${'('.repeat(500)}${')'.repeat(480)}`)
    linkParts('https://'.repeat(125))
    expect(performance.now() - started).toBeLessThan(200)
  })
})
