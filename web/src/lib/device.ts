import Bowser from 'bowser'

/** A device in plain words, such as "Chrome on Windows", from what its browser says of itself. */
export function deviceInWords(userAgent: string | null): string {
  // The library does not take an empty one.
  const { browser, os, platform } = Bowser.parse(userAgent || '-')
  const system = platform.vendor === 'Apple' && platform.model ? platform.model : os.name
  if (!browser.name) return system ? `A device with ${system}` : 'An unknown device'
  return system ? `${browser.name} on ${system}` : browser.name
}
