// The main job and every menu with Tab, Enter, Space, arrows and Escape only.
import { expect, test } from '@playwright/test'
import { enter, escapeTo, expectFocusKept, tabTo } from './keyboard.ts'
import { type Potluck, startPotluck } from './potluck.ts'
import { WIDTHS } from './screenshots.ts'

let potluck: Potluck
test.beforeAll(async () => {
  potluck = await startPotluck({ DEMO: 'on' })
})
test.afterAll(() => potluck.close())

test('everything can be reached, opened and closed with a keyboard alone', async ({ browser }) => {
  const context = await browser.newContext({
    baseURL: potluck.url,
    viewport: WIDTHS.desktop,
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  const button = (name: string | RegExp) => page.getByRole('button', { name }).first()
  const dialog = page.getByRole('dialog')

  await test.step('skipping to the content and signing in', async () => {
    await page.goto('/signin')
    const skip = page.getByRole('link', { name: 'Skip to content' })
    await expect(page.getByLabel('Email')).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(skip).toBeFocused()
    await expect(skip).toBeInViewport({ ratio: 1 })
    await page.keyboard.press('Enter')
    await expect(page.getByRole('main')).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('main').locator(':focus')).toHaveCount(1)
    await tabTo(page, page.getByLabel('Email'))
    await page.keyboard.type('demo@potluck.example')
    await tabTo(page, page.getByLabel('Password', { exact: true }))
    await page.keyboard.type('Potluck-demo-1!')
    await page.keyboard.press('Enter')
    await expect(button('Your menu')).toBeVisible()
  })

  await test.step('sharing a plan', async () => {
    await enter(
      page,
      page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'My Subscriptions' }),
    )
    await enter(page, page.getByRole('link', { name: 'Create New Plan' }))
    await enter(page, button(/^Streaming/))
    await enter(page, button(/^Disney/))
    await tabTo(page, button('Choose Premium'))
    await page.keyboard.press('Space')
    await enter(page, button('Next'))
    const slots = page.getByRole('textbox', { name: 'Open slots' })
    await tabTo(page, slots)
    await page.keyboard.press('ArrowDown')
    await expect(slots).toHaveValue('2')
    await enter(page, button('Create Subscription'))
    await expect(page.getByText('Subscription Created')).toBeVisible()
    await page.waitForURL(/\/my-subscriptions/)
  })

  await test.step('moving between the tabs of a page', async () => {
    const shared = page.getByRole('tab', { name: /^My Shared Plans/ })
    const subscribed = page.getByRole('tab', { name: /^My Subscribed Plans/ })
    await tabTo(page, shared)
    await page.keyboard.press('ArrowRight')
    await expect(subscribed).toBeFocused()
    await expect(page.getByRole('heading', { name: "Plans You've Joined" })).toBeVisible()
    await page.keyboard.press('ArrowLeft')
    await expect(shared).toBeFocused()
  })

  await test.step('editing its slots', async () => {
    await enter(page, page.getByRole('link', { name: /^Disney/ }))
    const edit = button('Edit member slots')
    await enter(page, edit)
    await expectFocusKept(page, dialog)
    await escapeTo(page, dialog, edit)
    await page.keyboard.press('Space')
    const slots = dialog.getByRole('textbox', { name: 'Member slots' })
    await expect(slots).toBeFocused()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Slots Updated')).toBeVisible()
    await expect(edit).toBeFocused()
    const invite = button('Add Member')
    await enter(page, invite)
    await expectFocusKept(page, dialog)
    await escapeTo(page, dialog, invite)
  })

  await test.step('talking to a member', async () => {
    await enter(
      page,
      page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'My Subscriptions' }),
    )
    await enter(page, page.getByRole('link', { name: /^Netflix/ }))
    const chat = button('Chat with Marc')
    await enter(page, chat)
    await expect(dialog.getByLabel(/^Message /)).toBeFocused()
    await page.keyboard.type('Hello from the keyboard.')
    await page.keyboard.press('Enter')
    await expect(dialog.getByText('Hello from the keyboard.')).toBeVisible()
    await expectFocusKept(page, dialog)
    await escapeTo(page, dialog, chat)
    const remove = button('Remove Marc')
    await enter(page, remove)
    await expectFocusKept(page, dialog)
    await escapeTo(page, dialog, remove)
  })

  await test.step('the menus of the top bar', async () => {
    const inbox = button(/^Messages/)
    await enter(page, inbox)
    await expectFocusKept(page, dialog)
    await escapeTo(page, dialog, inbox)
    await page.keyboard.press('Enter')
    await enter(page, dialog.getByRole('button', { name: /^Olivia/ }))
    await expect(dialog.getByLabel(/^Message /)).toBeFocused()
    await escapeTo(page, dialog, inbox)
    const bell = button(/^Notifications/)
    await enter(page, bell)
    await expectFocusKept(page, dialog)
    await escapeTo(page, dialog, bell)
    const mine = button('Your menu')
    await enter(page, mine)
    const items = page.getByRole('menuitem')
    await expect(items.first()).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(items.nth(1)).toBeFocused()
    await page.keyboard.press('ArrowUp')
    await expect(items.nth(0)).toBeFocused()
    await escapeTo(page, items.first(), mine)
  })

  await test.step('the menus of a narrow window', async () => {
    await page.setViewportSize(WIDTHS.phone)
    const menu = button('Open menu')
    await enter(page, menu)
    await expectFocusKept(page, dialog)
    await escapeTo(page, dialog, menu)
    const account = page.getByRole('navigation', { name: 'Bottom' }).getByRole('button', { name: 'Account' })
    await enter(page, account)
    await expect(dialog).toBeVisible()
    await escapeTo(page, dialog, account)
    await enter(page, page.getByRole('navigation', { name: 'Bottom' }).getByRole('link', { name: 'Plans' }))
    const quick = button('Quick actions')
    await enter(page, quick)
    const create = page.getByRole('menuitem', { name: 'Create Plan' })
    await expect(create).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('menuitem', { name: 'Join Plan' })).toBeFocused()
    await escapeTo(page, create, quick)
  })
  await context.close()
})
