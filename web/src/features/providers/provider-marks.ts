import {
  type SimpleIcon,
  si1password,
  siApple,
  siApplemusic,
  siAppletv,
  siBitdefender,
  siCrunchyroll,
  siDazn,
  siDeezer,
  siDropbox,
  siDuolingo,
  siEa,
  siExpressvpn,
  siHbomax,
  siNetflix,
  siNordvpn,
  siNorton,
  siNotion,
  siNvidia,
  siParamountplus,
  siPlaystation,
  siPrivateinternetaccess,
  siProton,
  siSpotify,
  siSurfshark,
  siTidal,
  siUbisoft,
  siYoutube,
  siYoutubemusic,
} from 'simple-icons'

export interface ProviderMark {
  /** Brand colour, #RRGGBB. */
  color: string
  /** Look-up key at the logo service. */
  domain: string
  /** SVG path on a 24 x 24 field; missing where the icon set has no mark. */
  path?: string
}

const mark = (color: string, domain: string, icon?: SimpleIcon): ProviderMark =>
  icon ? { color, domain, path: icon.path } : { color, domain }

/** The brands of the bundled catalogue by provider name, so that a plan row alone is enough to draw them. (R11) */
export const PROVIDER_MARKS: Readonly<Record<string, ProviderMark>> = {
  Netflix: mark('#E50914', 'netflix.com', siNetflix),
  'Disney+': mark('#113CCF', 'disneyplus.com'),
  'HBO Max': mark('#5822B4', 'hbomax.com', siHbomax),
  'Prime Video': mark('#00A8E1', 'primevideo.com'),
  'Apple TV': mark('#000000', 'tv.apple.com', siAppletv),
  'YouTube Premium': mark('#FF0000', 'youtube.com', siYoutube),
  'Paramount+': mark('#0064FF', 'paramountplus.com', siParamountplus),
  Crunchyroll: mark('#F47521', 'crunchyroll.com', siCrunchyroll),
  DAZN: mark('#F8FF13', 'dazn.com', siDazn),
  Spotify: mark('#1DB954', 'spotify.com', siSpotify),
  'Apple Music': mark('#FA243C', 'music.apple.com', siApplemusic),
  'YouTube Music': mark('#FF0033', 'music.youtube.com', siYoutubemusic),
  'Amazon Music': mark('#25D1DA', 'music.amazon.com'),
  Deezer: mark('#A238FF', 'deezer.com', siDeezer),
  TIDAL: mark('#000000', 'tidal.com', siTidal),
  'Nintendo Switch Online': mark('#E60012', 'nintendo.com'),
  'Xbox Game Pass': mark('#107C10', 'xbox.com'),
  'PlayStation Plus': mark('#0070D1', 'playstation.com', siPlaystation),
  'EA Play': mark('#FF4747', 'ea.com', siEa),
  'GeForce NOW': mark('#76B900', 'nvidia.com', siNvidia),
  'Ubisoft+': mark('#0070FF', 'ubisoft.com', siUbisoft),
  'Microsoft 365': mark('#D83B01', 'microsoft.com'),
  'Google One': mark('#4285F4', 'one.google.com'),
  'Apple One': mark('#1D1D1F', 'apple.com', siApple),
  Notion: mark('#000000', 'notion.com', siNotion),
  Duolingo: mark('#58CC02', 'duolingo.com', siDuolingo),
  Dropbox: mark('#0061FF', 'dropbox.com', siDropbox),
  '1Password': mark('#0572EC', '1password.com', si1password),
  NordVPN: mark('#4687FF', 'nordvpn.com', siNordvpn),
  Surfshark: mark('#1EBFBF', 'surfshark.com', siSurfshark),
  ExpressVPN: mark('#DA3940', 'expressvpn.com', siExpressvpn),
  Proton: mark('#6D4AFF', 'proton.me', siProton),
  'Private Internet Access': mark('#4BB749', 'privateinternetaccess.com', siPrivateinternetaccess),
  Bitdefender: mark('#ED1C24', 'bitdefender.com', siBitdefender),
  'Norton 360': mark('#FDB511', 'norton.com', siNorton),
}
