// Proves NAV 08
import { expect, it } from 'vitest'
import { socialLinks } from './social-links.ts'

it('leads to the front pages of the five networks as long as the operator names no page of theirs', () => {
  expect(socialLinks([])).toEqual([
    { name: 'Facebook', address: 'https://www.facebook.com/' },
    { name: 'Twitter', address: 'https://x.com/' },
    { name: 'Instagram', address: 'https://www.instagram.com/' },
    { name: 'LinkedIn', address: 'https://www.linkedin.com/' },
    { name: 'YouTube', address: 'https://www.youtube.com/' },
  ])
})

it('leads to the pages the operator names, each by its network', () => {
  const own = [
    'https://www.youtube.com/@our-table',
    'https://x.com/our_table',
    'https://de-de.facebook.com/our.table',
    'https://www.linkedin.com/company/our-table',
    'https://www.instagram.com/our.table/',
  ]
  expect(socialLinks(own).map(({ address }) => address)).toEqual([own[2], own[1], own[4], own[3], own[0]])
})

it('takes no address for a page of a network that only looks like it', () => {
  const [facebook, twitter] = socialLinks(['https://facebook.com.example/a', 'https://netflix.com/b'])
  expect([facebook?.address, twitter?.address]).toEqual(['https://www.facebook.com/', 'https://x.com/'])
})
