/** Countries in the notations of sports files: ISO codes, the three letters of the IOC or of FIFA, or names. */
import { nationTeam } from '../identity/merges.ts';
import { COUNTRIES } from '../wire/countries.ts';

/** Codes of the IOC, FIFA's codes that differ, codes of former states, and our two-letter codes. */
// biome-ignore format: a table
const THREE_LETTERS: Record<string, string> = {
  AFG: 'AF', AHO: 'AN', AIA: 'AI', ALB: 'AL', ALG: 'DZ', AND: 'AD', ANG: 'AO', ANT: 'AG', ARG: 'AR', ARM: 'AM', ARU: 'AW', ASA: 'AS',
  ATG: 'AG', AUS: 'AU', AUT: 'AT', AZE: 'AZ', BAH: 'BS', BAN: 'BD', BAR: 'BB', BDI: 'BI', BEL: 'BE', BEN: 'BJ', BER: 'BM', BHR: 'BH',
  BHU: 'BT', BIH: 'BA', BIR: 'MM', BIZ: 'BZ', BLR: 'BY', BLZ: 'BZ', BOL: 'BO', BOT: 'BW', BRA: 'BR', BRB: 'BB', BRN: 'BH', BRU: 'BN',
  BUL: 'BG', BUR: 'BF', CAF: 'CF', CAM: 'KH', CAN: 'CA', CAY: 'KY', CGO: 'CG', CHA: 'TD', CHI: 'CL', CHN: 'CN', CIV: 'CI', CMR: 'CM',
  COD: 'CD', COK: 'CK', COL: 'CO', COM: 'KM', CPV: 'CV', CRC: 'CR', CRO: 'HR', CTA: 'CF', CUB: 'CU', CUW: 'CW', CYP: 'CY', CZE: 'CZ',
  DEN: 'DK', DJI: 'DJ', DMA: 'DM', DOM: 'DO', ECU: 'EC', EGY: 'EG', ENG: 'GB-ENG', EQG: 'GQ', ERI: 'ER', ESA: 'SV', ESP: 'ES', EST: 'EE',
  ETH: 'ET', FIJ: 'FJ', FIN: 'FI', FRA: 'FR', FRG: 'DE', FRO: 'FO', FSM: 'FM', GAB: 'GA', GAM: 'GM', GBR: 'GB', GBS: 'GW', GDR: 'DD',
  GEO: 'GE', GEQ: 'GQ', GER: 'DE', GHA: 'GH', GIB: 'GI', GNB: 'GW', GRE: 'GR', GRL: 'GL', GRN: 'GD', GUA: 'GT', GUD: 'GP', GUI: 'GN',
  GUM: 'GU', GUY: 'GY', HAI: 'HT', HKG: 'HK', HON: 'HN', HUN: 'HU', INA: 'ID', IND: 'IN', IRI: 'IR', IRL: 'IE', IRN: 'IR', IRQ: 'IQ',
  ISL: 'IS', ISR: 'IL', ISV: 'VI', ITA: 'IT', IVB: 'VG', JAM: 'JM', JOR: 'JO', JPN: 'JP', KAZ: 'KZ', KEN: 'KE', KGZ: 'KG', KIR: 'KI',
  KOR: 'KR', KOS: 'XK', KSA: 'SA', KUW: 'KW', KVX: 'XK', LAO: 'LA', LAT: 'LV', LBA: 'LY', LBN: 'LB', LBR: 'LR', LBY: 'LY', LCA: 'LC',
  LEB: 'LB', LES: 'LS', LIB: 'LB', LIE: 'LI', LTU: 'LT', LUX: 'LU', MAC: 'MO', MAD: 'MG', MAR: 'MA', MAS: 'MY', MAW: 'MW', MDA: 'MD',
  MDV: 'MV', MEX: 'MX', MGL: 'MN', MHL: 'MH', MKD: 'MK', MLI: 'ML', MLT: 'MT', MNE: 'ME', MON: 'MC', MOZ: 'MZ', MRI: 'MU', MRT: 'MQ',
  MSR: 'MS', MTN: 'MR', MWI: 'MW', MYA: 'MM', NAM: 'NA', NCA: 'NI', NCL: 'NC', NED: 'NL', NEP: 'NP', NGA: 'NG', NGR: 'NG', NIG: 'NE',
  NIR: 'GB-NIR', NMI: 'MP', NOR: 'NO', NRU: 'NR', NZL: 'NZ', OMA: 'OM', PAK: 'PK', PAN: 'PA', PAR: 'PY', PER: 'PE', PHI: 'PH', PLE: 'PS',
  PLW: 'PW', PNG: 'PG', POL: 'PL', POR: 'PT', PRK: 'KP', PUR: 'PR', QAT: 'QA', REU: 'RE', RHO: 'ZW', ROM: 'RO', ROU: 'RO', RSA: 'ZA',
  RUS: 'RU', RWA: 'RW', SAM: 'WS', SCG: 'RS', SCO: 'GB-SCT', SEN: 'SN', SEY: 'SC', SGP: 'SG', SIN: 'SG', SKN: 'KN', SLE: 'SL', SLO: 'SI',
  SLV: 'SV', SMR: 'SM', SOL: 'SB', SOM: 'SO', SRB: 'RS', SRI: 'LK', SSD: 'SS', STP: 'ST', SUD: 'SD', SUI: 'CH', SUR: 'SR', SVK: 'SK',
  SVN: 'SI', SWE: 'SE', SWZ: 'SZ', SYR: 'SY', TAH: 'PF', TAN: 'TZ', TCA: 'TC', TCH: 'CS', TGA: 'TO', THA: 'TH', TJK: 'TJ', TKM: 'TM',
  TKS: 'TC', TLS: 'TL', TOG: 'TG', TPE: 'TW', TRI: 'TT', TTO: 'TT', TUN: 'TN', TUR: 'TR', TUV: 'TV', UAE: 'AE', UGA: 'UG', UKR: 'UA',
  URS: 'SU', URU: 'UY', USA: 'US', UZB: 'UZ', VAN: 'VU', VEN: 'VE', VGB: 'VG', VIE: 'VN', VIN: 'VC', VIR: 'VI', WAL: 'GB-WLS', YEM: 'YE',
  YUG: 'YU', ZAI: 'CD', ZAM: 'ZM', ZIM: 'ZW',
};

const KNOWN = new Set(COUNTRIES.map(({ iso }) => iso));

/** @returns our code; undefined for a text that names no country */
export function parseCountry(text: string): string | undefined {
  const code = text.trim().toUpperCase();
  if (KNOWN.has(code)) return code;
  return THREE_LETTERS[code] ?? nationTeam(text)?.country;
}
