// Proves MYSUB 17, API 57
import catalogue from '@potluck/supabase/provider-catalogue.json' with { type: 'json' }
import { fireEvent, render } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import pictureSources from '../../../../public/picture-sources.json'
import { setTestSite } from '../../../../test/site.ts'
import { logoUrl } from './logo-service.ts'
import { ProviderLogo } from './ProviderLogo.tsx'

const useKey = (logoKey: string | null) => setTestSite({ logoKey })
const draw = (provider: string, size?: 'xs' | 'sm' | 'md' | 'lg' | 'xl') =>
  render(<ProviderLogo provider={provider} {...(size ? { size } : {})} />).container

beforeEach(() => void useKey(null))

describe('without a key', () => {
  it('draws the bundled mark in its colours', () => {
    const logo = draw('Netflix')
    expect(logo.querySelector('use')?.getAttribute('href')).toMatch(/provider-marks.*\.svg#netflix$/)
    expect(logo.querySelector('img')).toBeNull()
  })

  it.each([
    ['Disney+', 'D'],
    ['Kettle Club', 'KC'],
  ])('draws a monogram of the initials of %s, which has no mark', (provider, letters) => {
    const monogram = draw(provider).querySelector('[data-letters]')
    expect(monogram?.textContent).toBe(letters)
    expect(monogram?.getAttribute('data-letters')).toBe(`${letters.length}`)
  })

  it.each(catalogue)('draws $name of the catalogue with a mark or with letters', ({ name }) => {
    const logo = draw(name)
    expect(logo.querySelector('use') !== null).not.toBe(/\S/.test(logo.textContent ?? ''))
  })

  it.each([
    ['xs', 24],
    ['sm', 32],
    ['md', 48],
    ['lg', 64],
    ['xl', 80],
  ] as const)('the size %s is %i px', (size, side) => {
    const logo = draw('Netflix', size).firstElementChild as HTMLElement
    expect(logo.style.getPropertyValue('--logo-size')).toBe(`${side}px`)
  })
})

describe('with a key', () => {
  it('asks the service by domain, with size, format and key', () => {
    useKey('pk_test')
    const address = new URL(draw('Netflix', 'lg').querySelector('img')?.src ?? '')
    expect(address.origin + address.pathname).toBe('https://img.logo.dev/netflix.com')
    expect(pictureSources).toContain(address.origin)
    expect(address.search).toBe('?token=pk_test&size=128&format=webp')
  })

  it('draws the mark when the service does not answer, and asks no second time for the same', () => {
    useKey('pk_offline')
    const first = draw('Spotify', 'md')
    const picture = first.querySelector('img')
    expect(picture).toBeTruthy()
    if (picture) fireEvent.error(picture)
    expect(first.querySelector('img')).toBeNull()
    expect(first.querySelector('svg use')).toBeTruthy()
    expect(draw('Spotify', 'md').querySelector('img')).toBeNull()
    expect(draw('Spotify', 'lg').querySelector('img')).toBeTruthy()
  })

  it('asks for nothing when the domain is unknown', () => {
    useKey('pk_test')
    expect(draw('Kettle Club').querySelector('img')).toBeNull()
  })

  it('has one address for each domain, size and format, which the browser keeps', () => {
    const one = logoUrl('pk', 'netflix.com', 48)
    expect(logoUrl('pk', 'netflix.com', 48)).toBe(one)
    const others = [
      logoUrl('pk', 'spotify.com', 48),
      logoUrl('pk', 'netflix.com', 64),
      logoUrl('pk', 'netflix.com', 48, 'png'),
    ]
    expect(new Set([one, ...others]).size).toBe(4)
    expect(logoUrl(null, 'netflix.com', 48)).toBeNull()
  })
})
