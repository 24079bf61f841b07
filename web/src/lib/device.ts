import { t } from '@lingui/core/macro'
import Bowser from 'bowser'

/** A device in plain words, such as "Chrome on Windows", from its browser's user agent. */
export function deviceInWords(userAgent: string | null): string {
  // The library does not accept an empty string.
  const { browser, os, platform } = Bowser.parse(userAgent || '-')
  const system = platform.vendor === 'Apple' && platform.model ? platform.model : os.name
  if (!browser.name) return system ? t`A device with ${system}` : t`An unknown device`
  return system ? t`${browser.name} on ${system}` : browser.name
}
