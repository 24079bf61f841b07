export interface ProviderMark {
  /** Brand colour, #RRGGBB. */
  color: string
  /** Look-up key at the logo service. */
  domain: string
  /** Name of the mark in provider-marks.svg; absent if the icon set has none: then a monogram is drawn. */
  mark?: string
  /** The share of the tile that the mark fills, so that wide, low marks look as large as the others. */
  part: number
}

const mark = (color: string, domain: string, name?: string, part = 0.58): ProviderMark =>
  name ? { color, domain, mark: name, part } : { color, domain, part }

/** The brands of the bundled catalogue by provider name, which is all that a plan row holds. (R11) */
export const PROVIDER_MARKS: Readonly<Record<string, ProviderMark>> = {
  Netflix: mark('#E50914', 'netflix.com', 'netflix'),
  'Disney+': mark('#113CCF', 'disneyplus.com'),
  'HBO Max': mark('#5822B4', 'hbomax.com', 'hbomax', 0.8),
  'Prime Video': mark('#00A8E1', 'primevideo.com'),
  'Apple TV': mark('#000000', 'tv.apple.com', 'appletv', 0.7),
  'YouTube Premium': mark('#FF0000', 'youtube.com', 'youtube'),
  'Paramount+': mark('#0064FF', 'paramountplus.com', 'paramountplus'),
  Crunchyroll: mark('#F47521', 'crunchyroll.com', 'crunchyroll'),
  DAZN: mark('#F8FF13', 'dazn.com', 'dazn'),
  Spotify: mark('#1DB954', 'spotify.com', 'spotify'),
  'Apple Music': mark('#FA243C', 'music.apple.com', 'applemusic'),
  'YouTube Music': mark('#FF0033', 'music.youtube.com', 'youtubemusic'),
  'Amazon Music': mark('#25D1DA', 'music.amazon.com'),
  Deezer: mark('#A238FF', 'deezer.com', 'deezer'),
  TIDAL: mark('#000000', 'tidal.com', 'tidal'),
  'Nintendo Switch Online': mark('#E60012', 'nintendo.com'),
  'Xbox Game Pass': mark('#107C10', 'xbox.com'),
  'PlayStation Plus': mark('#0070D1', 'playstation.com', 'playstation'),
  'EA Play': mark('#FF4747', 'ea.com', 'ea', 0.7),
  'GeForce NOW': mark('#76B900', 'nvidia.com', 'nvidia'),
  'Ubisoft+': mark('#0070FF', 'ubisoft.com', 'ubisoft'),
  'Microsoft 365': mark('#D83B01', 'microsoft.com'),
  'Google One': mark('#4285F4', 'one.google.com', 'google'),
  'Apple One': mark('#1D1D1F', 'apple.com', 'apple'),
  Notion: mark('#000000', 'notion.com', 'notion'),
  Duolingo: mark('#58CC02', 'duolingo.com', 'duolingo'),
  Dropbox: mark('#0061FF', 'dropbox.com', 'dropbox'),
  '1Password': mark('#0572EC', '1password.com', '1password'),
  NordVPN: mark('#4687FF', 'nordvpn.com', 'nordvpn'),
  Surfshark: mark('#1EBFBF', 'surfshark.com', 'surfshark'),
  ExpressVPN: mark('#DA3940', 'expressvpn.com', 'expressvpn'),
  Proton: mark('#6D4AFF', 'proton.me', 'proton'),
  'Private Internet Access': mark('#4BB749', 'privateinternetaccess.com', 'privateinternetaccess'),
  Bitdefender: mark('#ED1C24', 'bitdefender.com', 'bitdefender'),
  'Norton 360': mark('#FDB511', 'norton.com', 'norton'),
}
