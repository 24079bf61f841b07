import { local, read, write } from '#lib/storage.ts'

/** Where the app keeps the choice, too: Mantine's own name for it. */
const KEY = 'mantine-color-scheme-value'

const { dataset } = document.documentElement

/** Light, dark, or as the device has it. */
export function startSchemes(page: ParentNode): void {
  const device = window.matchMedia('(prefers-color-scheme: dark)')
  const choices = page.querySelectorAll<HTMLInputElement>('input[name="scheme"]')
  const show = () => {
    const kept = read(local, KEY) ?? 'auto'
    dataset.mantineColorScheme = kept === 'auto' ? (device.matches ? 'dark' : 'light') : kept
    for (const choice of choices) choice.checked = choice.value === kept
  }
  const choose = (scheme: string) => {
    write(local, KEY, scheme)
    show()
  }
  show()
  device.addEventListener('change', show)
  window.addEventListener('storage', show)
  for (const choice of choices) choice.addEventListener('change', () => choose(choice.value))
  page
    .querySelector('[data-scheme-button]')
    ?.addEventListener('click', () => choose(dataset.mantineColorScheme === 'dark' ? 'light' : 'dark'))
}
