// Page heads for search engines and link previews, which run no scripts.
import { beforeAll, expect, test } from 'vitest'
import { addUser, type TestUser, testServer } from '../../../server/test/harness.ts'
import catalogue from '../../provider-catalogue.json' with { type: 'json' }
import { share } from './site.ts'

const server = await testServer()
const page = async (path: string) => {
  const answer = await fetch(server.url + path, { headers: { accept: 'text/html' } })
  return { status: answer.status, html: await answer.text() }
}
let olivia: TestUser
let planId: string
beforeAll(async () => {
  olivia = await addUser(server, 'olivia@potluck.example')
  planId = await share(olivia)
  await olivia.client
    .from('user_profiles')
    .update({ display_name: 'O"<b>livia Halen' })
    .eq('user_id', olivia.id)
    .throwOnError()
})

const headOf = (html: string) => html.slice(0, html.indexOf('<body'))

test('a link to a plan previews what it is and costs and who shares it, as text whatever they are called', async () => {
  const { data: code } = await olivia.client.rpc('get_plan_link', { p_subscription_id: planId })
  const { status, html } = await page(`/plans/${planId}`)
  expect(status).toBe(200)
  const short = await page(`/p/${code.toUpperCase()}`)
  // Only the plan's own URL names its versions in other languages to search engines.
  const inOneLanguage = headOf(html).replace(/<link rel="alternate"[^>]*>/g, '')
  expect(headOf(short.html).replaceAll(`/p/${code.toUpperCase()}`, `/plans/${planId}`)).toBe(inOneLanguage)
  expect((await page('/p/notacode')).status).toBe(404)
  // A link to a private plan gets the same response, whether its secret is right or wrong.
  const secret = await page('/p/0123456789abcdef')
  expect(secret.status).toBe(200)
  expect(secret.html).toMatch(
    /<title>A private plan · Potluck<\/title><meta name="robots" content="noindex" \/>/,
  )
  expect(secret.html).toMatch(/<h1 [^>]*>A private plan</)
  const said = 'Shared by O&quot;&lt;b&gt;livia. 3 of 4 places open, €5.00 a month all in.'
  for (const tag of [
    '<title>Netflix Premium for €5.00 a month · Potluck</title>',
    '<meta property="og:title" content="Netflix Premium for €5.00 a month · Potluck" />',
    `<meta name="description" content="${said}" />`,
    `<meta property="og:description" content="${said}" />`,
    `<meta property="og:url" content="${server.url}/plans/${planId}" />`,
  ])
    expect(html).toContain(tag)
  expect(html).toMatch(/<h1 [^>]*>Netflix Premium</)
  expect(html).not.toMatch(/Halen|noindex|olivia@/)
  expect((await page('/plans')).html).toMatch(/<h1 [^>]*>Browse Plans</)
  expect((await page('/plans')).html).toContain('<title>Browse Plans · Potluck</title>')
  expect((await page('/about')).html).toContain('<title>How It Works · Potluck</title>')
})

test('a link to a plan shows the picture of its provider, which every provider of the catalogue has', async () => {
  const picture = (html: string) => html.match(/<meta [^>]*(?:og|twitter):image[^>]*>/g)?.join('\n')
  const alt = 'The mark of Netflix and a clay pot: Share Netflix. Split the cost.'
  expect(picture((await page(`/plans/${planId}`)).html)).toBe(
    [
      `<meta property="og:image" content="${server.url}/share/netflix.png" />`,
      '<meta property="og:image:width" content="1200" />',
      '<meta property="og:image:height" content="630" />',
      `<meta property="og:image:alt" content="${alt}" />`,
      `<meta name="twitter:image" content="${server.url}/share/netflix.png" />`,
      `<meta name="twitter:image:alt" content="${alt}" />`,
    ].join('\n'),
  )
  for (const { id } of catalogue) {
    const answer = await fetch(`${server.url}/share/${id}.png`)
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect([id, answer.headers.get('content-type')]).toEqual([id, 'image/png'])
    // The header of a PNG contains the width and height and, at byte 25, 3 if the colours come from a palette.
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20), bytes[25]]).toEqual([1200, 630, 3])
    expect(bytes.length).toBeLessThan(25_000)
  }
  // A provider without a picture in the build gets the default picture.
  await server.db.query(
    `update public.service_provider_data set data = jsonb_set(data, '{0,id}', '"own"') where data #>> '{0,name}' = 'Netflix'`,
  )
  const own = picture((await page(`/plans/${planId}`)).html)
  expect(own).toBe(picture((await page('/plans')).html))
  expect(own).toContain(`${server.url}/share.png`)
})

test('the page of a person is for people and no search engine, and says as little of who is not there', async () => {
  for (const [path, title] of [
    [`/people/${olivia.id}`, 'O&quot;&lt;b&gt;livia'],
    ['/people/00000000-0000-4000-8000-000000000000', 'No one here'],
    ['/people/nobody', 'No one here'],
  ]) {
    const { status, html } = await page(path ?? '')
    expect([status, html]).toEqual([200, expect.stringContaining(`<title>${title} · Potluck</title>`)])
    expect(html).toContain('<meta name="robots" content="noindex" />')
    expect(html).not.toContain('Halen')
  }
})

test('search engines find what everybody may, and a private plan answers like one that never was', async () => {
  const listed = async () => await (await fetch(`${server.url}/sitemap.xml`)).text()
  expect(await listed()).toContain(`<loc>${server.url}/plans/${planId}</loc>`)
  expect(await (await fetch(`${server.url}/robots.txt`)).text()).toContain(
    `Sitemap: ${server.url}/sitemap.xml`,
  )
  await olivia.client
    .from('shared_subscriptions')
    .update({ is_private: true })
    .eq('id', planId)
    .throwOnError()
  const hidden = await page(`/plans/${planId}`)
  expect(hidden).toMatchObject({
    status: 404,
    html: expect.stringContaining('<meta name="robots" content="noindex" />'),
  })
  expect(hidden.html.replaceAll(planId, 'sub-none')).toBe((await page('/plans/sub-none')).html)
  expect(await listed()).not.toContain(planId)
  expect(await listed()).toContain(`<loc>${server.url}/plans</loc>`)
})

test.each(['/plans/%00', '/plans/%E0%A4%A', `/plans/${'x'.repeat(5000)}`, "/plans/'; select 1"])(
  'an address nobody would write is no plan: %s',
  async (path) => {
    expect((await page(path)).status).toBe(404)
  },
)
