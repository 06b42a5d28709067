// memfit - SPDX-License-Identifier: Apache-2.0
#include "app/words/twin_texts.h"

namespace memfit::app {
namespace {

constexpr TwinText kTexts[] = {
    {"simpleView", "Simple view", "シンプル表示", "Vue simple", "简洁视图"},
    {"graphicalView", "Graphical view", "グラフィカル表示", "Vue graphique", "图形视图"},
    {"settings", "Settings", "設定", "Réglages", "设置"},
    {"answer", "Answer", "結果", "Résultat", "结果"},
    // Groups of fields.
    {"groupModel", "Model", "モデル", "Modèle", "模型"},
    {"groupWorkload", "Workload", "ワークロード", "Charge de travail", "工作负载"},
    {"groupDevice", "Device", "デバイス", "GPU", "设备"},
    {"groupShape", "Model shape", "モデルの形状", "Forme du modèle", "模型结构"},
    {"groupCache", "Weights and cache", "重みとキャッシュ", "Poids et cache", "权重与缓存"},
    {"groupParallel", "Parallelism", "並列化", "Parallélisme", "并行"},
    {"groupEngine", "Engine settings", "エンジンの設定", "Réglages du moteur", "推理引擎设置"},
    {"groupTraining", "Training settings", "トレーニングの設定", "Réglages de l’entraînement",
     "训练设置"},
    {"groupDeviceMore", "Device settings", "デバイスの設定", "Réglages du GPU", "设备设置"},
    {"expand", "All settings and tables", "すべての設定と表", "Tous les réglages et tableaux",
     "所有设置和表格"},
    // Values.
    {"yes", "yes", "はい", "oui", "是"},
    {"no", "no", "いいえ", "non", "否"},
    {"all", "all", "すべて", "toutes", "全部"},
    {"ofModel", "as in the model", "モデルのとおり", "celui du modèle", "按模型"},
    {"range", "{0} to {1}", "{0}～{1}", "{0} à {1}", "{0} 至 {1}"},
    {"accepted", "Accepted: {0}.", "指定できる値：{0}。", "Valeurs acceptées : {0}.",
     "可用取值：{0}。"},
    {"acceptedAmount", "bytes such as 2GB or 512MiB, or a percentage such as 10%",
     "2GB や 512MiB などのサイズ、または 10% などの割合",
     "une taille telle que 2GB ou 512MiB, ou un pourcentage tel que 10%",
     "大小（如 2GB、512MiB）或百分比（如 10%）"},
    {"customSize", "Another size", "その他のサイズ", "Autre taille", "其他大小"},
    {"deviceSize", "Size of the device, such as 24GB", "デバイスのサイズ（例：24GB）",
     "Taille du GPU, par exemple 24GB", "设备大小，例如 24GB"},
    {"pasteConfig", "Paste a config.json, or open a model file.",
     "config.json を貼り付けるか、モデルファイルを開く。",
     "Collez un config.json ou ouvrez un fichier de modèle.", "粘贴 config.json，或打开模型文件。"},
    {"openFile", "Open a model file (config.json, GGUF, safetensors)",
     "モデルファイルを開く（config.json、GGUF、safetensors）",
     "Ouvrir un fichier de modèle (config.json, GGUF, safetensors)",
     "打开模型文件（config.json、GGUF、safetensors）"},
    // Tables.
    {"numbers", "Numbers", "数値", "Valeurs", "数值"},
    {"formula", "Formula", "計算式", "Formule", "公式"},
    {"source", "Source", "出典", "Source", "来源"},
    {"verdict", "Verdict", "判定", "Verdict", "结论"},
    {"allDevices", "All devices", "全デバイス合計", "Tous les GPU", "所有设备合计"},
    {"why", "Why it differs", "差が出る理由", "Pourquoi l’écart", "差异原因"},
    {"devicesNeeded", "Devices needed", "必要な台数", "GPU nécessaires", "所需数量"},
    {"fits", "fits", "収まる", "tient", "放得下"},
    {"tight", "tight", "ぎりぎり", "juste", "勉强"},
    {"tooLarge", "does not fit", "収まらない", "ne tient pas", "放不下"},
    {"notes", "Notes", "注記", "Remarques", "提示"},
    {"onlyFitting", "Only devices that hold it", "収まるデバイスのみ",
     "Seulement les GPU suffisants", "仅显示放得下的设备"},
    {"searchDevices", "Search devices", "デバイスを検索", "Rechercher un GPU", "搜索设备"},
    {"shown", "{0} of {1} devices shown", "{1} 台中 {0} 台を表示", "{0} GPU sur {1} affichés",
     "共 {1} 个设备，显示 {0} 个"},
    {"mapCaption", "Memory per device in {0}: {1} down, {2} across",
     "デバイスあたりのメモリ（{0}）：縦は{1}、横は{2}",
     "Mémoire par GPU en {0} : {1} de haut en bas, {2} de gauche à droite",
     "每个设备的内存（{0}）：纵向为{1}，横向为{2}"},
    {"apply", "Apply", "適用", "Appliquer", "应用"},
    {"change", "Change", "変更", "Changement", "更改"},
    {"saves", "Saves", "削減量", "Économie", "节省"},
    {"price", "What it costs", "代償", "Ce que cela coûte", "代价"},
    // The page.
    {"address", "Address of this estimate", "この見積もりの URL", "Adresse de cette estimation",
     "此估算的网址"},
    {"canvas",
     "Graphical view, drawn as a picture. The simple view has the same controls and numbers as a "
     "form "
     "and tables.",
     "グラフィカル表示は画像として描画。シンプル表示では、同じ操作と数値をフォームと表で利用できる"
     "。",
     "La vue graphique est dessinée comme une image. La vue simple offre les mêmes réglages et les "
     "mêmes nombres en formulaire et en tableaux.",
     "图形视图以图像绘制。简洁视图以表单和表格提供相同的设置和数值。"},
    {"noGraphics",
     "This browser shows no WebGL 2, so this is the simple view. It answers the same.",
     "このブラウザーでは WebGL 2 を使えないため、シンプル表示。結果は同じ。",
     "Ce navigateur n’affiche pas WebGL 2 : voici la vue simple. Elle répond de même.",
     "此浏览器不支持 WebGL 2，因此显示简洁视图，结果相同。"},
    {"noScript", "This is the estimate for the default settings. Changing them needs JavaScript.",
     "既定の設定での見積もり。変更には JavaScript が必要。",
     "Voici l’estimation pour les réglages par défaut. Les modifier demande JavaScript.",
     "这是默认设置下的估算。更改设置需要 JavaScript。"},
    {"failed", "The calculator could not start: {0}", "計算機を起動できない：{0}",
     "Le calculateur n’a pas pu démarrer : {0}", "计算器无法启动：{0}"},
    {"graphicsLost", "The graphics device was reset. The picture returns by itself.",
     "グラフィックスデバイスがリセットされた。画像は自動的に復帰する。",
     "Le processeur graphique a été réinitialisé. L’image revient d’elle-même.",
     "图形设备已重置，画面会自动恢复。"},
};

constexpr bool areComplete() {
  for (const TwinText& text : kTexts) {
    if (text.en.empty() || text.ja.empty() || text.fr.empty() || text.zh.empty()) return false;
  }
  return true;
}
static_assert(areComplete(), "twin_texts.cpp: a language lacks a text");

}  // namespace

std::string_view TwinText::in(std::string_view language) const {
  if (language == "ja") return ja;
  if (language == "fr") return fr;
  if (language == "zh") return zh;
  return en;
}

std::span<const TwinText> twinTexts() { return kTexts; }

}  // namespace memfit::app
